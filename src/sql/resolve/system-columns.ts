/** Columns that a dialect's database adds to tables and that no schema lists. */
const OF_DIALECT: Readonly<Record<string, string>> = {
  postgres: 'ctid,tableoid,xmin,xmax,cmin,cmax,oid',
  redshift: 'ctid,tableoid,xmin,xmax,cmin,cmax,oid',
  greenplum: 'ctid,tableoid,xmin,xmax,cmin,cmax,oid,gp_segment_id',
  vertica: 'epoch,rowid',
  oracle:
    'rowid,rownum,ora_rowscn,object_id,object_value,versions_startscn,versions_endscn,versions_starttime,versions_endtime,versions_xid,versions_operation',
  exasol: 'rowid,rownum',
  sqlite: 'rowid,oid,_rowid_',
  duckdb: 'rowid,filename,file_row_number',
  snowflake:
    'metadata$filename,metadata$file_row_number,metadata$file_content_key,metadata$file_last_modified,metadata$start_scan_time,metadata$action,metadata$isupdate,metadata$row_id',
  bigquery: '_partitiontime,_partitiondate,_table_suffix,_file_name,_change_type,_change_timestamp',
  spark: '_metadata,_change_type,_commit_version,_commit_timestamp',
  databricks: '_metadata,_change_type,_commit_version,_commit_timestamp',
  hive: 'input__file__name,block__offset__inside__file,row__id',
  trino: '$path,$file_size,$file_modified_time,$bucket,$partition,$row_id',
  presto: '$path,$file_size,$file_modified_time,$bucket,$partition',
  athena: '$path,$file_size,$file_modified_time,$bucket,$partition',
  clickhouse:
    '_part,_part_index,_part_uuid,_part_offset,_partition_id,_partition_value,_sample_factor,_table,_database,_path,_file,_size,_time,_block_number,_shard_num,_row_exists,_topic,_key,_offset,_timestamp,_partition,_headers',
  mariadb: 'row_start,row_end',
  tsql: '$identity,$rowguid,$action,$partition,$node_id,$edge_id,$from_id,$to_id',
  teradata: 'rowid,partition',
}

const SETS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(OF_DIALECT).map(([dialect, names]) => [dialect, new Set(names.split(','))]),
)

/** Whether any table of the dialect's database has the column (lower case), though no schema lists it. */
export function isSystemColumn(dialect: string, key: string): boolean {
  return SETS.get(dialect)?.has(key) === true
}

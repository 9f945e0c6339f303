"""Converts Avro schemas by DataHub's own converter: a JSON object of schemas on stdin, one of lists of columns on stdout."""
import json
import sys

from datahub.ingestion.extractor.schema_util import avro_schema_to_mce_fields

schemas = json.load(sys.stdin)
columns = {
    name: [field.to_obj() for field in avro_schema_to_mce_fields(json.dumps(schema), swallow_exceptions=False)]
    for name, schema in schemas.items()
}
print(json.dumps(columns))

/** Something of a project that could not be read; the rest of the project is. */
export interface ProjectProblem {
  readonly code: 'YAML_INVALID' | 'FILE_UNREADABLE' | 'NOT_SQL' | 'REF_UNKNOWN' | 'REF_CYCLE'
  readonly message: string
  readonly file: string
}

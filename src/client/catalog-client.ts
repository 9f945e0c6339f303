/** A catalog reached over HTTP. */
export interface CatalogClient {
  /** Name of the connection in the configuration; `own` is the catalog that ships with Headwater. */
  readonly name: string
  /** Address without a trailing slash, fit for messages (no secrets). */
  readonly address: string
}

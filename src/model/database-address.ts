/** How to reach a PostgreSQL: by URL (DATABASE_URL), or through the socket folder of the embedded server. */
export type DatabaseAddress =
  | { readonly kind: 'url'; readonly url: string }
  | {
      readonly kind: 'socket'
      readonly folder: string
      readonly port: number
      readonly user: string
      readonly database: string
    }

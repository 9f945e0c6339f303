/** Who is asking, as the ledger keeps it beside runs and decisions. */
export function userName(): string {
  return process.env['USER'] ?? process.env['LOGNAME'] ?? 'somebody'
}

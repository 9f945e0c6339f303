import type { Piece, PieceEnd } from './piece.ts'

/** How a piece that was killed again and again came to its end. */
export interface Killing {
  readonly kills: number
  /** The piece that was allowed to finish. */
  readonly last: Piece
  readonly end: PieceEnd
}

/**
 * Starts a piece, kills it with SIGKILL when its moment has come, starts it again, until it has been killed `kills`
 * times or ends by itself; the last one runs to its end. `moment` resolves when the kill is due: best on a fact that
 * the piece tells (`piece.line(…)`), and it may reject when the piece ends first.
 */
export async function killAgainAndAgain(options: {
  readonly start: () => Piece
  readonly kills: number
  readonly moment: (piece: Piece, kill: number) => Promise<unknown>
}): Promise<Killing> {
  for (let kills = 0; ; kills++) {
    const piece = options.start()
    if (kills === options.kills) return { kills, last: piece, end: await piece.ended }
    const isDue = await Promise.race([
      options.moment(piece, kills).then(
        () => true,
        () => false,
      ),
      piece.ended.then(() => false),
    ])
    if (!isDue) return { kills, last: piece, end: await piece.ended }
    const end = await piece.kill('SIGKILL')
    if (end.signal !== 'SIGKILL') return { kills, last: piece, end }
  }
}

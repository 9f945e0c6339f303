/**
 * Groups run at once, at most `limit` of them, and come out in the order in which they went in. A finished group comes
 * out as soon as it is its turn, whether or not the source has more to say: a caller may wait for one answer before it
 * asks the next. Nothing is held beyond the groups in flight.
 */
export async function* inOrder<Group, Out>(
  source: AsyncIterable<Group>,
  run: (group: Group) => Promise<Out>,
  limit: number,
): AsyncGenerator<Out> {
  const groups = source[Symbol.asyncIterator]()
  let next: Promise<Event<Group>> | undefined = readNext(groups)
  const flights: Promise<Out>[] = []
  while (next !== undefined || flights.length > 0) {
    const [first] = flights
    if (next !== undefined && flights.length < limit) {
      const event: Event<Group> = first === undefined ? await next : await Promise.race([next, first.then(landed)])
      if (event.kind === 'read') {
        flights.push(quietly(run(event.group)))
        next = readNext(groups)
        continue
      }
      if (event.kind === 'end') {
        next = undefined
        continue
      }
    }
    if (first !== undefined) yield await first
    void flights.shift()
  }
}

type Event<Group> =
  { readonly kind: 'read'; readonly group: Group } | { readonly kind: 'end' } | { readonly kind: 'landed' }

async function readNext<Group>(groups: AsyncIterator<Group>): Promise<Event<Group>> {
  const read = await groups.next()
  return read.done === true ? { kind: 'end' } : { kind: 'read', group: read.value }
}

function landed(): Event<never> {
  return { kind: 'landed' }
}

/** A failure is thrown where the group's turn comes; until then it is no unhandled one. */
function quietly<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}

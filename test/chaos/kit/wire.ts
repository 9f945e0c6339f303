import { connect, createServer, type AddressInfo, type NetConnectOpts, type Socket } from 'node:net'

/**
 * A wire between a client and a server of any protocol (PostgreSQL, Redis) that can be cut, stalled and mended:
 * `const wire = await Wire.to({ path: '/tmp/…/.s.PGSQL.5432' })`, then connect to 127.0.0.1 and `wire.port`.
 */
export class Wire implements AsyncDisposable {
  /** Connections made so far. */
  connections = 0
  /** Connections refused since it was cut. */
  refusals = 0
  #isCut = false
  #isStalled = false
  readonly #pairs = new Set<readonly [Socket, Socket]>()
  readonly #server = createServer((client) => this.#join(client))
  readonly #target: NetConnectOpts

  private constructor(target: NetConnectOpts) {
    this.#target = target
  }

  static async to(target: NetConnectOpts): Promise<Wire> {
    const wire = new Wire(target)
    await new Promise<void>((listening, failed) => {
      wire.#server.once('error', failed).listen(0, '127.0.0.1', () => listening())
    })
    return wire
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Resets what is connected and refuses what comes, until `mend`. */
  cut(): void {
    this.#isCut = true
    for (const [client] of this.#pairs) client.resetAndDestroy() // the other end follows
  }

  /** Lets nothing through any more, in silence, until `mend`. */
  stall(): void {
    this.#isStalled = true
    for (const pair of this.#pairs) for (const socket of pair) socket.pause()
  }

  mend(): void {
    this.#isCut = false
    this.#isStalled = false
    for (const pair of this.#pairs) for (const socket of pair) socket.resume()
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.cut()
    await closed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #join(client: Socket): void {
    client.on('error', () => undefined)
    if (this.#isCut) {
      this.refusals++
      client.resetAndDestroy()
      return
    }
    this.connections++
    const server = connect(this.#target)
    server.on('error', () => client.resetAndDestroy())
    const pair = [client, server] as const
    this.#pairs.add(pair)
    client.pipe(server)
    server.pipe(client)
    if (this.#isStalled) for (const socket of pair) socket.pause()
    for (const socket of pair) {
      socket.on('close', () => {
        this.#pairs.delete(pair)
        for (const other of pair) other.destroy()
      })
    }
  }
}

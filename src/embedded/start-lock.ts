import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * One process at a time joins or leaves the server of a data folder. The lock must vanish with its holder, also by
 * SIGKILL, so it is one that the kernel keeps: on Linux the abstract socket of a name, on macOS an flock. Who finds it
 * taken connects to the holder and waits for the end of that connection, so nobody polls.
 */
export async function withStartLock<T>(name: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const release = process.platform === 'linux' ? await lockSocket(`\0${name}`, signal) : await lockFile(name, signal)
  try {
    return await work()
  } finally {
    await release()
  }
}

type Release = () => Promise<void>

async function lockSocket(path: string, signal: AbortSignal): Promise<Release> {
  for (;;) {
    signal.throwIfAborted()
    const release = await tryListen(path)
    if (release !== undefined) return release
    await holderGone(path, signal)
  }
}

function tryListen(path: string): Promise<Release | undefined> {
  return new Promise((resolve, reject) => {
    const waiting = new Set<Socket>()
    const server = createServer((socket) => {
      waiting.add(socket)
      socket.on('error', () => undefined).on('close', () => waiting.delete(socket))
      socket.resume()
    })
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined)
      else reject(error)
    })
    server.listen({ path, exclusive: true }, () => resolve(() => close(server, waiting)))
  })
}

function close(server: Server, waiting: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    for (const socket of waiting) socket.destroy()
  })
}

function holderGone(path: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ path })
    const stop = (): void => void socket.destroy()
    signal.addEventListener('abort', stop, { once: true })
    socket.on('error', () => undefined).resume()
    socket.on('close', () => {
      signal.removeEventListener('abort', stop)
      resolve()
    })
  })
}

const O_EXLOCK = 0x20 // of macOS: open and flock in one; Node does not name it

async function lockFile(name: string, signal: AbortSignal): Promise<Release> {
  const flags = constants.O_CREAT | constants.O_RDWR | constants.O_NONBLOCK | O_EXLOCK
  for (;;) {
    signal.throwIfAborted()
    try {
      const file = await open(`/tmp/${name}.lock`, flags, 0o600)
      return () => file.close()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      await sleep(20)
    }
  }
}

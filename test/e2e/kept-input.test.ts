import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { headwater, PROJECT, runCommand } from '../support/command.ts'
import { eventually } from '../support/eventually.ts'
import { startServer } from '../support/server-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const CSV = `resource,tags
"urn:li:dataset:(urn:li:dataPlatform:hive,db.a,PROD)",pii
`

/** All that a folder holds, as text. */
function everythingIn(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')).join('\n')
}

test(
  'what only the command can read, or only once, or with a secret, is kept for the worker that carries the run out',
  { timeout: 400_000 },
  async () => {
    await using folder = await temporaryFolder()
    const at = { cwd: folder.path }
    await writeFile(join(folder.path, 'tags.csv'), CSV)
    const asked: (string | undefined)[] = []
    const web = createServer((request, response) => {
      asked.push(request.url)
      response.end(CSV)
    })
    await new Promise<void>((ready) => web.listen(0, '127.0.0.1', ready))
    await using _web = { [Symbol.asyncDispose]: () => new Promise<void>((ended) => web.close(() => ended())) }
    await using up = startServer(['up', '--port', '0', '--console-port', '0'], at)
    await up.waitFor(/worker ready/)

    const run = ['run', 'import-csv', '--missing', 'create', '--json', '--file']
    const secret = `http://127.0.0.1:${(web.address() as AddressInfo).port}/tags.csv?X-Amz-Signature=s3cr3tsignature`
    const signed = await headwater([...run, secret], at)
    expect(JSON.parse(signed.stdout)).toMatchObject({ run: { balance: { records: { read: 1, used: 1 } } } })
    expect(asked).toHaveLength(1)
    // One copy, though it is named twice.
    const twice = await headwater([...run, '-', '-'], { ...at, stdin: CSV })
    expect(JSON.parse(twice.stdout)).toMatchObject({
      run: { balance: { records: { read: 2, used: 1, duplicate: 1 } } },
    })

    const command = `${process.execPath} ${join(PROJECT, 'src/cli.ts')} ${run.join(' ')}`
    const script = `mkfifo pipe && (cat tags.csv > pipe &) && ${command} /dev/stdin <(cat tags.csv) pipe < tags.csv`
    const { stdout } = await runCommand('bash', ['-c', script], at)
    expect(JSON.parse(stdout)).toMatchObject({ run: { balance: { records: { read: 3, used: 1, duplicate: 2 } } } })
    const kept = readdirSync(join(folder.path, '.headwater/inputs'), { recursive: true, encoding: 'utf8' })
    const names = kept.flatMap((name) => name.split('/').slice(1)).toSorted((a, b) => a.localeCompare(b))
    expect(names).toEqual(['pipe', 'pipe', 'stdin', 'stdin', 'tags.csv'])
    await up.stop()
    expect(everythingIn(folder.path)).not.toContain('s3cr3tsignature')
  },
)

test(
  'a command that is stopped while it still reads its standard input begins no run',
  { timeout: 400_000 },
  async () => {
    await using folder = await temporaryFolder()
    const { PATH = '', HOME = '' } = process.env
    const cli = join(PROJECT, 'src/cli.ts')
    const child = spawn(process.execPath, [cli, 'run', 'import-csv', '--missing', 'create', '--apply', '--file', '-'], {
      cwd: folder.path,
      env: { PATH, HOME },
    })
    await using _gone = { [Symbol.asyncDispose]: () => Promise.resolve(void child.kill('SIGKILL')) }
    const ended = once(child, 'close')
    child.stdin.write(CSV)
    const inputs = join(folder.path, '.headwater/inputs')
    await eventually(() => expect(readdirSync(inputs)).toHaveLength(1), 200_000)
    child.kill('SIGINT')
    expect(await ended).toEqual([130, null])
    expect((await headwater(['runs'], { cwd: folder.path })).stdout).toBe('no runs\n')
  },
)

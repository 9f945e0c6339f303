#!/usr/bin/env node
// Runs the command with Node 24 or newer. Where the user's Node is older, npm has delivered one for Linux beside us
// (optionalDependencies); plain CommonJS, so that any Node can read this file.
'use strict'
const { existsSync } = require('node:fs')
const { join } = require('node:path')

// A clone runs its sources; the package, where types cannot be stripped below node_modules, runs dist.
const source = join(__dirname, '../src/cli.ts')
const cli = existsSync(source) ? source : join(__dirname, '../dist/src/cli.js')

if (Number(process.versions.node.split('.')[0]) >= 24) void import(require('node:url').pathToFileURL(cli).href)
else startNewerNode()

function startNewerNode() {
  const node = bundledNode()
  if (node === undefined) {
    process.stderr.write(
      `headwater needs Node 24 or newer; this is ${process.version}. On Linux \`npm install\` brings one (optional ` +
        'dependencies must not be left out); elsewhere install Node 24.\n',
    )
    process.exit(4)
  }
  const child = require('node:child_process').spawn(node, [cli, ...process.argv.slice(2)], { stdio: 'inherit' })
  // Ctrl-C reaches the child from the terminal by itself; passing it on as well would count as a second signal.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  }
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

function bundledNode() {
  try {
    return require.resolve(`node-linux-${process.arch}/bin/node`)
  } catch {
    return undefined
  }
}

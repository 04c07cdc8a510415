import { spawn, type ChildProcess } from 'node:child_process'
import { readdirSync, watch, type FSWatcher } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/*
 * `npm run dev`: runs the server and restarts it when its source changes. On Linux, `node --watch`
 * watches the files, and so misses all changes after an editor has saved by writing another file
 * and renaming it, as most do. Folders see both.
 */

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const WATCHED = ['src', 'sql']
/** Other files in these folders are temporary files of editors. */
const SOURCE = /\.(?:ts|js|css|sql|json)$/
/** An editor or git changes several files, and each of them several times. */
const DEBOUNCE_MS = 100

const watchers = new Map<string, FSWatcher>()
let server: ChildProcess | undefined
/** Whether the server was told to end, so that the next one can start. */
let ending = false
let timer: NodeJS.Timeout | undefined
let stopping = false

function start(): void {
  // In a process group of its own: a Ctrl-C reaches it only through this process, once.
  server = spawn(process.execPath, ['src/main.ts'], { cwd: ROOT, stdio: 'inherit', detached: true })
  server.once('exit', code => {
    server = undefined
    ending = false
    if (stopping) process.exit(code ?? 1)
    if (timer === undefined) process.stderr.write('The server has ended; it starts again after the next change.\n')
    else restart()
  })
}

function restart(): void {
  clearTimeout(timer)
  timer = setTimeout(() => {
    // The exit of the old process starts the new one.
    if (!server) {
      timer = undefined
      start()
    } else if (!ending) {
      ending = true
      server.kill('SIGTERM')
    }
  }, DEBOUNCE_MS)
}

function watchFolder(folder: string): void {
  if (watchers.has(folder)) return
  const watcher = watch(folder, (event, name) => {
    if (event === 'rename') watchAll()
    if (name !== null && SOURCE.test(name)) restart()
  })
  watchers.set(folder, watcher)
  const forget = (): void => {
    watcher.close()
    watchers.delete(folder)
  }
  watcher.once('error', forget)
}

/** Watches every folder that is not watched yet. */
function watchAll(): void {
  const folders = WATCHED.flatMap(top => [
    path.join(ROOT, top),
    ...readdirSync(path.join(ROOT, top), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .map(entry => path.join(entry.parentPath, entry.name)),
  ])
  for (const [folder, watcher] of watchers) {
    if (folders.includes(folder)) continue
    watcher.close()
    watchers.delete(folder)
  }
  for (const folder of folders) watchFolder(folder)
}

function stop(): void {
  stopping = true
  clearTimeout(timer)
  if (server) server.kill('SIGTERM')
  else process.exit(0)
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
watchAll()
start()

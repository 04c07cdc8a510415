import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { t } from 'tap'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TAP = path.join(ROOT, 'node_modules/tap/dist/esm/run.mjs')

/** Whether tap's test class has been generated with the plugins of package.json. */
async function isBuilt(): Promise<boolean> {
  const { tap } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')) as { tap: { plugin: string[] } }
  const has = new Set(t.pluginSignature.split('\n'))
  return tap.plugin.every(plugin => (plugin.startsWith('!') ? !has.has(plugin.slice(1)) : has.has(plugin)))
}

/**
 * Generates tap's test class, if that was not done since `npm install`. This process keeps the old
 * one; tests get the new one.
 */
export async function buildTap(): Promise<void> {
  if (!(await isBuilt())) await promisify(execFile)(process.execPath, [TAP, 'build'], { cwd: ROOT })
}

const TESTS = fileURLToPath(new URL('../', import.meta.url))
const COPIES = path.join(ROOT, '.build-tests/')
const BUILD = path.join(ROOT, 'src/app/type_stripping/build.js')

/**
 * `npm run build`: servers and test files run from copies without types, which would otherwise be
 * stripped in each process.
 */
export async function stripTypes(): Promise<void> {
  const build = (...given: string[]) => promisify(execFile)(process.execPath, [BUILD, ...given])
  await Promise.all([build(), build(TESTS, COPIES)])
}

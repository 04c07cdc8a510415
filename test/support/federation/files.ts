import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Test } from 'tap'
import { startPeer } from './peer.ts'

/** A peer that has files; how often each was asked for. */
export async function startFiles(t: Test, files: Readonly<Record<string, Buffer | number>>) {
  const peer = await startPeer(t)
  const asked = new Map<string, number>()
  const answer = peer.answer.bind(peer)
  t.intercept(peer, 'answer', {
    value: (request: IncomingMessage, response: ServerResponse, body: string) => {
      const path = request.url ?? ''
      const file = files[path]
      if (file === undefined) return answer(request, response, body)
      asked.set(path, (asked.get(path) ?? 0) + 1)
      if (typeof file === 'number') response.writeHead(file).end()
      else response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(file)
    },
  })
  return { peer, asked }
}

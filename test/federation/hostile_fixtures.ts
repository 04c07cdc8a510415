import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Test } from 'tap'
import { startPeer, type Peer, type PeerActor } from '../support/federation/peer.ts'
import { sql, type Person } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'
import { followActor } from './receive/receive_fixtures.ts'

export const ACTIVITY_TYPE = 'application/activity+json'

export type Answer = (response: ServerResponse, request: IncomingMessage) => void

/** A server that answers maliciously. */
export interface Hostile {
  readonly peer: Peer
  readonly url: string
  /** The paths that were requested. */
  readonly asked: string[]
  /** Sets the answer for paths with a prefix. */
  on(prefix: string, answer: Answer): void
}

export async function startHostile(t: Test): Promise<Hostile> {
  const peer = await startPeer(t)
  const answers = new Map<string, Answer>()
  const asked: string[] = []
  const usual = peer.answer.bind(peer)
  peer.answer = (request, response, body) => {
    const path = request.url ?? ''
    const [, answer] = [...answers].find(([prefix]) => path.startsWith(prefix)) ?? []
    if (request.method === 'POST' || !answer) return usual(request, response, body)
    asked.push(path)
    answer(response, request)
  }
  return { peer, url: peer.url, asked, on: (prefix, answer) => void answers.set(prefix, answer) }
}

export const json = (response: ServerResponse, document: unknown, headers: Record<string, string> = {}): void =>
  void response.writeHead(200, { 'content-type': ACTIVITY_TYPE, ...headers }).end(JSON.stringify(document))

/** Asserts that jobs failed only because servers gave no answer, and that no error was logged. */
export async function assertNoErrors(server: TestServer): Promise<void> {
  const failed = await sql(
    server,
    `select task_identifier, last_error from graphile_worker.jobs
     where last_error is not null and task_identifier like 'federation.%'
       and last_error !~ 'gave no answer|took too long|too slow to be asked'`,
  )
  assert.deepEqual(failed, [])
  assert.deepEqual(
    server.log.filter(line => Number(line['level']) >= 50),
    [],
  )
}

/** Starts another server with an actor that alice follows. */
export async function startFollowedActor(t: Test, server: TestServer, alice: Person): Promise<PeerActor> {
  const bob = (await startPeer(t)).actor('bob')
  await followActor(server, alice, bob)
  return bob
}

import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Test } from 'tap'
import { startPeer, type Peer, type PeerActor } from '../support/federation/peer.ts'
import { sql, type Person } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'
import { followActor } from './receive/receive_fixtures.ts'

export const TYPE = 'application/activity+json'

export type Answer = (response: ServerResponse, request: IncomingMessage) => void

/** A host that does its worst. */
export interface Hostile {
  readonly peer: Peer
  readonly url: string
  /** The paths that were asked for. */
  readonly asked: string[]
  /** Answers paths that begin so in its own way. */
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
  void response.writeHead(200, { 'content-type': TYPE, ...headers }).end(JSON.stringify(document))

/** Jobs failed for nothing but servers that were not reached, and the log has no errors. */
export async function assertCalm(server: TestServer): Promise<void> {
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

/** Somebody on another server, whom alice follows. */
export async function follow(t: Test, server: TestServer, alice: Person): Promise<PeerActor> {
  const bob = (await startPeer(t)).actor('bob')
  await followActor(server, alice, bob)
  return bob
}

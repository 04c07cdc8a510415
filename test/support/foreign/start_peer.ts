import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { preloadedContexts } from '@fedify/vocab-runtime'
import type { Test } from 'tap'
import type { Certificates } from '../certificates.ts'
import { freePort } from '../port.ts'
import type { Options, Publication, Report } from './activitypub_express.ts'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Why the programs of others cannot be run here, for the option `skip` of a test. */
export const noForeignPeers =
  !existsSync(at('../../../.ci/foreign/node_modules/activitypub-express')) &&
  'the programs of others are not installed: npm ci --prefix .ci/foreign'

/** The program of activitypub-testing. */
export const CHECKS = at('../../../.ci/foreign/node_modules/@socialweb.coop/activitypub-testing/src/cli.js')

export type Document = Record<string, unknown>

/** A person on a server of activitypub-express. */
export interface ForeignPeer {
  readonly url: string
  readonly domain: string
  readonly actor: string
  readonly followers: string
  /** Publishes an activity. @returns its id */
  publish(publication: Omit<Publication, 'number'>): Promise<string>
  /** The next activity in its inbox that matches and whose signature it has verified. */
  received(matches: (activity: Document) => boolean): Promise<Document>
}

const WAIT_MS = 60_000

/** Reports as they arrive, each taken once. */
function createMailbox() {
  const reports: Report[] = []
  const waiting = new Set<() => void>()
  return {
    add(report: Report): void {
      reports.push(report)
      for (const wake of waiting) wake()
    },
    take<T extends Report>(matches: (report: Report) => report is T, wanted: string): Promise<T> {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => finish(() => reject(new Error(`${wanted} did not arrive`))), WAIT_MS)
        const finish = (end: () => void): void => {
          clearTimeout(timer)
          waiting.delete(look)
          end()
        }
        const look = (): void => {
          const failed = reports.find(report => report.kind === 'failed')
          if (failed) return finish(() => reject(new Error(failed.message)))
          const index = reports.findIndex(matches)
          const found = reports[index]
          if (!found || !matches(found)) return
          reports.splice(index, 1)
          finish(() => resolve(found))
        }
        waiting.add(look)
        look()
      })
    },
  }
}

/** Starts a server of activitypub-express for one person, until the end of the test. */
export async function startForeignPeer(t: Test, certificates: Certificates, name: string): Promise<ForeignPeer> {
  const port = await freePort()
  const mailbox = createMailbox()
  const child = fork(at('activitypub_express.ts'), {
    env: { PATH: process.env['PATH'], NODE_EXTRA_CA_CERTS: certificates.authority, NODE_NO_WARNINGS: '1' },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => t.comment(`activitypub-express: ${text.trim()}`))
  child.on('message', message => mailbox.add(message as Report))
  t.after(
    () =>
      new Promise<void>(resolve => {
        child.once('exit', () => resolve())
        child.disconnect()
      }),
  )
  const { certificate, key } = certificates
  child.send({ port, certificate, key, name, contexts: preloadedContexts } satisfies Options)
  const ready = await mailbox.take(report => report.kind === 'ready', 'the peer')
  let count = 0
  return {
    url: `https://localhost:${port}`,
    domain: `localhost:${port}`,
    actor: ready.actor,
    followers: ready.followers,
    async publish(publication) {
      const number = (count += 1)
      child.send({ ...publication, number } satisfies Publication)
      const isOf = (report: Report): report is Extract<Report, { kind: 'published' }> =>
        report.kind === 'published' && report.number === number
      return (await mailbox.take(isOf, `the publication of ${publication.type}`)).id
    },
    async received(matches) {
      const isOf = (report: Report): report is Extract<Report, { kind: 'verified' }> =>
        report.kind === 'verified' && matches(report.activity)
      const { activity } = await mailbox.take(isOf, 'the activity')
      assert.ok(activity['id'])
      return activity
    },
  }
}

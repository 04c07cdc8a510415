import assert from 'node:assert/strict'
import type { Test } from 'tap'
import { Browser } from '../../support/browser.ts'
import { startMailServer, type MailServer } from '../../support/mailbox.ts'
import { PASSWORD, personWithPassword } from '../../support/oauth.ts'
import { sql, type Person } from '../../support/people.ts'
import { startServer, type TestServer } from '../../support/server.ts'
import { Client } from '../../support/client.ts'
import { changeSetting } from '../../web/public/page_fixtures.ts'

/** A server that offers subscriptions, with an author whose role permits them. */
export interface Setting {
  readonly server: TestServer
  readonly mailbox: MailServer
  readonly author: Person & { email: string }
  /** The author's browser. */
  readonly browser: Browser
}

const PAGE = '/settings/email_subscriptions'

/** Whether the author's entity offers subscriptions; undefined without the member. */
export const offered = async ({ server, author }: Pick<Setting, 'server' | 'author'>): Promise<unknown> =>
  ((await new Client(server, 'unknown').get(`/api/v1/accounts/${author.id}`)).json as Record<string, unknown>)[
    'email_subscriptions'
  ]

/** Turns the author's switch by the form. */
export async function offer({ browser }: Pick<Setting, 'browser'>, isOffered = true): Promise<void> {
  const response = await browser.submit(await browser.get(PAGE), PAGE, { offers: isOffered ? '1' : null }, 'put')
  assert.deepEqual([response.status, response.location], [302, PAGE], response.text)
}

/** Starts a server on which everything allows subscriptions to the author's posts. */
export async function begin(t: Test, env: Record<string, string> = {}): Promise<Setting> {
  const mailbox = await startMailServer(t)
  const server = await startServer(t, { env: { SMTP_URL: mailbox.url, ...env } })
  const author = await personWithPassword(server, 'author', { roleId: 3 })
  t.after(() => author.close())
  const browser = new Browser(server)
  await browser.signIn(author.email, PASSWORD)
  await changeSetting(server, 'email_subscriptions', true, async () => (await offered({ server, author })) === false)
  await offer({ browser })
  return { server, mailbox, author, browser }
}

/** The path of a link in the text of an e-mail. */
export function linkIn(text: string, path: string): string {
  const found = new RegExp(`https?://[^\\s]*(${path.replaceAll('/', '\\/')}\\?[^\\s]+)`).exec(text)?.[1]
  assert.ok(found, `no link to ${path} in ${text}`)
  return found
}

/** Opens the link of a confirmation and confirms. */
export async function confirm(server: TestServer, link: string): Promise<number> {
  const browser = new Browser(server)
  const page = await browser.get(link)
  assert.equal(page.status, 200, page.text)
  return (await browser.submit(page, '/email_subscriptions/confirmation')).status
}

/** Subscribes an address and confirms it. */
export async function subscribed({ server, mailbox, author }: Setting, email: string): Promise<void> {
  const response = await new Client(server).post(`/api/v1/accounts/${author.id}/email_subscriptions`, { email })
  assert.deepEqual([response.status, response.text], [200, '{}'])
  const { text } = await mailbox.email(email, /Confirm your subscription/)
  assert.equal(await confirm(server, linkIn(text, '/email_subscriptions/confirmation')), 200)
}

/** Ends the delay of the e-mails about posts, also of those that are repeated. */
export const endDelay = ({ server }: Setting): Promise<unknown> =>
  sql(
    server,
    `with due as (
       select graphile_worker.reschedule_jobs(array_agg(j.id), run_at => now()) from graphile_worker.jobs j
       where j.task_identifier like 'email_subscriptions.send%'
     )
     select count(*), pg_notify('jobs:insert', '{"count": 1}') from due`,
  )

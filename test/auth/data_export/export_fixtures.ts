import type { Test } from 'tap'
import { until } from '../../media/attachments/media_fixtures.ts'
import { Browser, type Page } from '../../support/browser.ts'
import { PASSWORD, personWithPassword } from '../../support/oauth.ts'
import { sql, type Person } from '../../support/people.ts'
import type { ServerAddress } from '../../support/server.ts'

export const PAGE = '/settings/exports'

/** Creates a person with a signed-in browser. */
export async function owner(
  t: Test,
  server: ServerAddress,
  name: string,
  options: Parameters<typeof personWithPassword>[2] = {},
): Promise<{ person: Person & { email: string }; browser: Browser }> {
  const person = await personWithPassword(server, name, options)
  t.after(() => person.close())
  const browser = new Browser(server)
  await browser.signIn(person.email, PASSWORD)
  return { person, browser }
}

/** Requests an archive on the page. */
export const ask = async (browser: Browser): Promise<Page> => browser.submit(await browser.get(PAGE), PAGE)

/** Waits until the page links to the archive; returns the link. */
export const waitForLink = async (browser: Browser): Promise<string> =>
  until(
    async () => /href="(\/backups\/\d+\/download)"/.exec((await browser.get(PAGE)).text)?.[1] ?? '',
    link => link !== '',
    'the link to the archive',
  )

/** The storage keys of the archives of a user. */
export const keysOf = async (server: ServerAddress, user: string): Promise<string[]> =>
  (await sql(server, 'select file_key from backups where user_id = $1 and file_key is not null', [user])).map(row =>
    String(row['file_key']),
  )

/** Downloads the file that the link redirects to. */
export async function download(browser: Browser, link: string): Promise<{ headers: Headers; bytes: Buffer }> {
  const { location, status } = await browser.get(link)
  if (status !== 302) throw new Error(`the link answers ${status}`)
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(new URL(location, browser.server.url), { headers: { cookie } })
  if (response.status !== 200) throw new Error(`the archive answers ${response.status}`)
  return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

import assert from 'node:assert/strict'
import { becomes } from '../../platform/settings/pair.ts'
import type { Browser, Page } from '../../support/browser.ts'
import { sql } from '../../support/people.ts'
import type { SignedIn } from '../../support/signed_in.ts'

export const PAGE = '/settings/imports'

export const fileOf = (text: string): File => new File([text], 'list.csv', { type: 'text/csv' })

/** Starts an import. */
export async function send(browser: Browser, kind: string, text: string, mode = 'merge'): Promise<Page> {
  const form = await browser.get(PAGE)
  const response = await browser.submit(form, PAGE, {
    'import[kind]': kind,
    'import[mode]': mode,
    'import[sure]': mode === 'overwrite' ? '1' : null,
    'import[file]': fileOf(text),
  })
  assert.deepEqual([response.status, response.location], [302, PAGE], response.text)
  return response
}

/** Imports a file and waits for its end; returns the numbers of rows and of failures. */
export async function load(one: SignedIn, kind: string, text: string, mode = 'merge'): Promise<[number, number]> {
  await send(one.browser, kind, text, mode)
  const { person, server } = one
  const unfinished = (): Promise<unknown> =>
    sql(server, 'select id from imports where account_id = $1 and finished_at is null', [person.id])
  await becomes(unfinished, [], `the import of ${kind}`)
  const [last] = await sql(
    server,
    'select rows_count, failed_count from imports where account_id = $1 order by id desc limit 1',
    [person.id],
  )
  return [Number(last?.['rows_count']), Number(last?.['failed_count'])]
}

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Browser, type Page } from '../../support/browser.ts'
import { Client, type ClientResponse } from '../../support/client.ts'
import { PASSWORD, personWithPassword, registerApplication, type TestApplication } from '../../support/oauth.ts'
import { sharedServer, type TestServer } from '../../support/server.ts'

/** A verifier of PKCE (RFC 7636) and the parameters of its challenge. */
export const VERIFIER = 'a-verifier-that-is-long-enough-to-be-hard-to-guess'
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')
export const PKCE = { code_challenge: CHALLENGE, code_challenge_method: 'S256' }

/** A signed-in person with a browser, and an application. */
export interface Setting {
  server: TestServer
  app: TestApplication
  browser: Browser
  username: string
}

/** Creates a signed-in browser and an application. */
export async function setting(change: Record<string, unknown> = {}): Promise<Setting> {
  const server = await sharedServer()
  const [app, alice] = await Promise.all([registerApplication(server, change), personWithPassword(server, 'alice')])
  const browser = new Browser(server)
  const { status, location } = await browser.signIn(alice.email, PASSWORD)
  assert.deepEqual([status, location], [303, '/'])
  return { server, app, browser, username: alice.username }
}

/** Where an application sends the browser. A parameter of undefined is left out. */
export function authorizePath(app: TestApplication, change: Record<string, string | undefined> = {}): string {
  const parameters = { response_type: 'code', client_id: app.client_id, redirect_uri: app.redirect_uri, ...change }
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return `/oauth/authorize?${new URLSearchParams(given).toString()}`
}

/** Exchanges a code for a token. */
export const exchange = (
  server: TestServer,
  app: TestApplication,
  code: string,
  change = {},
): Promise<ClientResponse> =>
  new Client(server).post('/oauth/token', {
    grant_type: 'authorization_code',
    client_id: app.client_id,
    client_secret: app.client_secret,
    redirect_uri: app.redirect_uri,
    code,
    ...change,
  })

/** The parameters in the query of a URL. */
export const parametersOf = (location: string): Record<string, string> =>
  Object.fromEntries(new URL(location).searchParams.entries())

/** Opens the consent page and agrees. */
export const approve = async (
  { browser, app }: Setting,
  change: Record<string, string | undefined> = {},
): Promise<Page> => browser.submit(await browser.get(authorizePath(app, change)), '/oauth/authorize')

export const errorOf = (response: ClientResponse): unknown => (response.json as Record<string, unknown>)['error']

/** The `error_description` of `invalid_client` and of `invalid_grant`. */
export const CLIENT_TEXT =
  'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.'
export const GRANT_TEXT =
  'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.'

import { randomBytes, createHash } from 'node:crypto'
import { createOAuthAPIClient, createRestAPIClient, createStreamingAPIClient, type mastodon } from 'masto'
import type { Test } from 'tap'
import { Browser } from '../support/browser.ts'
import { Inbox } from '../support/inbox.ts'
import { PASSWORD, personWithPassword } from '../support/oauth.ts'
import { sharedServer, type TestServer } from '../support/server.ts'
import { SteadySocket } from './steady_socket.ts'

const REDIRECT = 'https://app.example/callback'

/** A user of a client that is built on masto. */
export interface MastoUser {
  readonly rest: mastodon.rest.Client
  readonly streaming: mastodon.streaming.Client
  readonly me: mastodon.v1.AccountCredentials
  readonly accessToken: string
}

/** Registers the application, as a client does at its first start. */
export const registerClient = (server: TestServer): Promise<mastodon.v1.Client> =>
  createRestAPIClient({ url: server.url }).v1.apps.create({
    clientName: 'Masto test',
    redirectUris: REDIRECT,
    scopes: 'read write follow push',
    website: 'https://app.example',
  })

/** Signs in and consents in a browser, and exchanges the code for a token (RFC 6749, RFC 7636). */
async function authorize(server: TestServer, application: mastodon.v1.Client, email: string): Promise<string> {
  const codeVerifier = randomBytes(32).toString('base64url')
  const state = randomBytes(8).toString('hex')
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: application.clientId ?? '',
    redirect_uri: REDIRECT,
    scope: 'read write follow push',
    state,
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const browser = new Browser(server)
  const toSignIn = await browser.get(`/oauth/authorize?${query.toString()}`)
  const signIn = await browser.get(toSignIn.location)
  const signedIn = await browser.submit(signIn, '/auth/sign_in', { 'user[email]': email, 'user[password]': PASSWORD })
  const consent = await browser.get(signedIn.location)
  const back = new URL((await browser.submit(consent, '/oauth/authorize')).location)
  if (back.searchParams.get('state') !== state) throw new Error(`the state is not ours: ${back.href}`)
  const parameters = {
    grantType: 'authorization_code' as const,
    clientId: application.clientId ?? '',
    clientSecret: application.clientSecret ?? '',
    redirectUri: REDIRECT,
    code: back.searchParams.get('code') ?? '',
    // Not in masto's types yet; it sends unknown parameters too.
    codeVerifier,
  }
  return (await createOAuthAPIClient({ url: server.url }).token.create(parameters)).accessToken
}

/** The application's own token. */
export async function applicationToken(server: TestServer, application: mastodon.v1.Client): Promise<string> {
  const { accessToken } = await createOAuthAPIClient({ url: server.url }).token.create({
    grantType: 'client_credentials',
    clientId: application.clientId ?? '',
    clientSecret: application.clientSecret ?? '',
    redirectUri: REDIRECT,
    scope: 'read',
  })
  return accessToken
}

/** A new user who signs in through the forms. The streams are closed at the end of the test. */
export async function mastoUser(t: Test, name: string): Promise<MastoUser> {
  const server = await sharedServer()
  const [application, { email }] = await Promise.all([registerClient(server), personWithPassword(server, name)])
  const accessToken = await authorize(server, application, email)
  const rest = createRestAPIClient({ url: server.url, accessToken })
  const { configuration } = await rest.v2.instance.fetch()
  const streaming = createStreamingAPIClient({
    streamingApiUrl: configuration.urls.streaming,
    accessToken,
    implementation: SteadySocket,
  })
  t.after(() => streaming.close())
  await streaming.prepare()
  return { rest, streaming, me: await rest.v1.accounts.verifyCredentials(), accessToken }
}

/** Reads a subscription into an inbox. */
export async function follow(
  ...subscriptions: mastodon.streaming.Subscription[]
): Promise<Inbox<mastodon.streaming.Event>> {
  const inbox = new Inbox<mastodon.streaming.Event>(event => `${event.stream.join(':')} ${event.event}`)
  const read = async (subscription: mastodon.streaming.Subscription): Promise<void> => {
    for await (const event of subscription) inbox.push(event)
  }
  // Ends with an error when the client is closed.
  for (const subscription of subscriptions) read(subscription).catch((error: unknown) => inbox.fail(error))
  // The library subscribes when the first event is requested, within this event-loop turn.
  await new Promise(resolve => setImmediate(resolve))
  await SteadySocket.settled()
  return inbox
}

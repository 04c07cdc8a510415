import assert from 'node:assert/strict'
import { test } from 'tap'
import { Client } from '../../../support/client.ts'
import { sharedServer } from '../../../support/server.ts'

const anonymous = async (): Promise<Client> => new Client(await sharedServer())
const valid = { client_name: 'An app', redirect_uris: 'https://app.example/callback' }

const MEMBERS = [
  'id',
  'name',
  'website',
  'scopes',
  'redirect_uris',
  'redirect_uri',
  'vapid_key',
  'client_id',
  'client_secret',
  'client_secret_expires_at',
]

test('an application is registered by a form or JSON and gets its credentials', async () => {
  const client = await anonymous()
  const wanted = { ...valid, scopes: `read write push${' read'.repeat(40)}`, website: 'https://app.example' }
  for (const body of [wanted, new URLSearchParams(wanted)]) {
    const { status, json, headers } = await client.post('/api/v1/apps', body)
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'private, no-store')
    const application = json as Record<string, unknown>
    assert.deepEqual(Object.keys(application), MEMBERS)
    assert.equal(application['name'], 'An app')
    assert.match(String(application['id']), /^[0-9]+$/)
    assert.match(String(application['client_id']), /^[A-Za-z0-9_-]{43}$/)
    assert.match(String(application['client_secret']), /^[A-Za-z0-9_-]{43}$/)
    assert.match(String(application['vapid_key']), /^[A-Za-z0-9_-]{87}$/)
    assert.equal(application['client_secret_expires_at'], 0)
    assert.equal(application['website'], 'https://app.example')
    assert.deepEqual(application['scopes'], ['read', 'write', 'push'])
    assert.deepEqual(application['redirect_uris'], ['https://app.example/callback'])
    assert.equal(application['redirect_uri'], 'https://app.example/callback')
  }
})

test('several redirect URIs are accepted as one string or a list', async () => {
  const client = await anonymous()
  const uris = ['https://app.example/callback', 'urn:ietf:wg:oauth:2.0:oob', 'com.example.app:/callback']
  for (const redirect_uris of [uris, uris.join('\n'), uris.join(' ')]) {
    const { json } = await client.post('/api/v1/apps', { ...valid, redirect_uris })
    const application = json as Record<string, unknown>
    assert.deepEqual(application['redirect_uris'], uris)
    assert.equal(application['redirect_uri'], uris.join('\n'))
  }
})

test('missing scopes, a list of scopes and a blank website mean the defaults', async () => {
  const client = await anonymous()
  for (const scopes of [undefined, '', ['write']]) {
    const { json } = await client.post('/api/v1/apps', { ...valid, scopes, website: ' ' })
    assert.deepEqual((json as Record<string, unknown>)['scopes'], ['read'])
    assert.equal((json as Record<string, unknown>)['website'], null)
  }
})

const REFUSED: readonly [Record<string, unknown>, string][] = [
  [{ client_name: undefined }, "Application name can't be blank"],
  [{ client_name: ' ' }, "Application name can't be blank"],
  [{ client_name: 'x'.repeat(61) }, 'Application name is too long (maximum is 60 characters)'],
  [{ redirect_uris: undefined }, "Redirect URI can't be blank"],
  [{ redirect_uris: '' }, "Redirect URI can't be blank"],
  [{ redirect_uris: [] }, "Redirect URI can't be blank"],
  [{ redirect_uris: '\n' }, "Redirect URI can't be blank"],
  [{ redirect_uris: '/callback' }, 'Redirect URI must be an absolute URI.'],
  [{ redirect_uris: 'https://app.example/#here' }, 'Redirect URI cannot contain a fragment.'],
  [{ redirect_uris: 'javascript://app.example/%0aalert(1)' }, 'Redirect URI is forbidden by the server.'],
  [{ redirect_uris: 'vbscript://app.example' }, 'Redirect URI is forbidden by the server.'],
  [{ redirect_uris: 'mailto:me' }, 'Redirect URI must specify a scheme.'],
  [{ redirect_uris: 'localhost:8080' }, 'Redirect URI must specify a scheme.'],
  [{ redirect_uris: 'https://app.example/<x>' }, 'Redirect URI must be a valid URI.'],
  [{ redirect_uris: 'https://app.example/%zz' }, 'Redirect URI must be a valid URI.'],
  [{ redirect_uris: `https://a.example/${'x'.repeat(2000)}` }, 'Redirect URI is too long (maximum is 2000 characters)'],
  [
    { website: `https://a.example/${'x'.repeat(2000)}` },
    'Application website is too long (maximum is 2000 characters)',
  ],
  [{ website: 'app.example' }, 'Application website is not a valid URL'],
  [{ website: 'ftp://app.example' }, 'Application website is not a valid URL'],
  [{ scopes: 'read everything' }, "Scopes doesn't match those configured on the server."],
  [{ client_name: '', website: 'x' }, "Application name can't be blank, Application website is not a valid URL"],
]

test('an invalid registration lists all its errors', async t => {
  const client = await anonymous()
  for (const [change, message] of REFUSED) {
    await t.test(message, async () => {
      const { status, json } = await client.post('/api/v1/apps', { ...valid, ...change })
      assert.deepEqual({ status, json }, { status: 422, json: { error: `Validation failed: ${message}` } })
    })
  }
})

import assert from 'node:assert/strict'
import { createHash, createPublicKey, generateKeyPairSync, sign, webcrypto } from 'node:crypto'
import { signObject, verifyJsonLd } from '@fedify/fedify/sig'
import { Create, CryptographicKey, Note } from '@fedify/vocab'
import { ml_dsa44 as mlDsa } from '@noble/post-quantum/ml-dsa.js'
import { test, type Test } from 'tap'
import { CONTEXT } from '../../src/federation/documents/index.ts'
import { localUri, PUBLIC, startPeer, type Document, type PeerActor } from '../support/federation/peer.ts'
import { people, person, sql, type Person } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'
import { noteTo, waitUntilProcessed } from './receive/receive_fixtures.ts'
import { contextLoader, RSA, startAuthor } from './signing_author.ts'

/* Signatures inside documents. Fedify signs and verifies for others. */

/** In base58btc with its prefix. */
function base58(bytes: Buffer): string {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  let [text, left] = ['', BigInt(`0x${bytes.toString('hex')}`)]
  for (; left > 0n; left /= 58n) text = `${alphabet[Number(left % 58n)] ?? ''}${text}`
  for (const byte of bytes) {
    if (byte !== 0) break
    text = `1${text}`
  }
  return `z${text}`
}

const base64url = (bytes: Buffer): string => `u${bytes.toString('base64url')}`

/** JSON with sorted members, which is RFC 8785 for such documents. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  )

const typed =
  (type: string) =>
  (activity: Document): boolean =>
    activity['type'] === type

/** Whether a status is stored under an id. */
async function isStored(server: TestServer, uri: unknown): Promise<boolean> {
  const rows = await sql(server, 'select from statuses where uri = $1 and deleted_at is null', [uri])
  return rows.length > 0
}

interface Scene {
  readonly alice: Person
  readonly server: TestServer
  readonly author: PeerActor
  readonly signed: (activity: Document) => Promise<Document>
  /** Passes on what the author has signed, to an inbox; waits until it is processed. */
  pass(activity: Document, path?: string): Promise<void>
}

async function start(t: Test): Promise<Scene> {
  const { alice, server } = await people(t, 'alice')
  const [home, other] = [await startPeer(t), await startPeer(t)]
  const { author, signed } = await startAuthor(home)
  const relay = other.actor('relay')
  return {
    alice,
    server,
    author,
    signed,
    async pass(activity, path = '/inbox') {
      assert.equal(await relay.send(server, activity, path), 202)
      // Activities of an actor are processed in order.
      const marker = noteTo(server, alice, author, 'marker')
      const socket = await alice.stream('user')
      await relay.send(server, await signed({ ...author.create(marker), '@context': CONTEXT }))
      await socket.next('notification', ({ payload }) => JSON.stringify(payload).includes(marker.id))
    },
  }
}

test('a forwarded activity is stored if its author has signed it', async t => {
  const { alice, server, author, signed, pass } = await start(t)
  const post = (): Document => {
    const { '@context': _, ...note } = noteTo(server, alice, author, 'passed on')
    return { ...author.create(note), '@context': CONTEXT }
  }
  const idOf = (activity: Document): unknown => (activity['object'] as Document)['id']
  const good = await signed(post())
  await pass(good)
  assert.ok(await isStored(server, idOf(good)))
  const within = (activity: Document, change: Document): Document => ({
    ...activity,
    object: { ...(activity['object'] as Document), ...change },
  })
  const hostile: [string, (activity: Document) => Document | Promise<Document>][] = [
    ['not signed', activity => ({ ...activity, signature: undefined })],
    ['changed', activity => within(activity, { content: '<p>changed</p>' })],
    ['addressed to more', activity => ({ ...activity, to: [PUBLIC, `${author.uri}/more`] })],
    ['signed by somebody else', activity => ({ ...activity, signature: good['signature'] })],
    [
      'of another actor',
      activity => ({
        ...activity,
        signature: { ...(activity['signature'] as Document), creator: `${author.uri}#other` },
      }),
    ],
    ['a renamed member', activity => ({ ...activity, '@context': [...CONTEXT, { content: 'as:summary' }] })],
    ['a refused keyword', activity => ({ ...activity, '@included': [] })],
    [
      'an alias of one',
      activity => ({ ...activity, '@context': [...CONTEXT, { of: { '@reverse': 'as:object' } }], of: {} }),
    ],
    ['a context that is not there', activity => ({ ...activity, '@context': [...CONTEXT, `${author.peer.url}/none`] })],
  ]
  for (const [name, change] of hostile) {
    const activity = post()
    await pass(await change(await signed(activity)))
    assert.equal(await isStored(server, idOf(activity)), false, name)
  }
})

test('a document that takes long to process is not read', async t => {
  const { alice, server, author, signed, pass } = await start(t)
  const isRead = async (more: Document): Promise<boolean> => {
    const { '@context': _, ...note } = noteTo(server, alice, author, 'large', {
      to: [PUBLIC, localUri(server, alice.id)],
      ...more,
    })
    await pass(await signed({ ...author.create(note), '@context': CONTEXT }))
    return isStored(server, note.id)
  }
  const tags = (length: number, more: (index: number) => Document = () => ({})): Document[] =>
    Array.from({ length }, (_, index) => ({ type: 'Hashtag', name: `#tag${index}`, ...more(index) }))
  assert.ok(await isRead({ tag: tags(300) }))
  assert.equal(await isRead({ tag: tags(600) }), false, 'many objects')
  assert.equal(await isRead({ name: tags(2500).map(({ name }) => name) }), false, 'many values')
  const nested = (index: number): Document => (index < 4 ? { '@context': { [`term${index}`]: 'as:name' } } : {})
  assert.equal(await isRead({ tag: tags(10, nested) }), false, 'many contexts')
  const terms = Object.fromEntries(tags(600).map((_, index) => [`term${index}`, 'as:name']))
  assert.equal(await isRead({ tag: tags(1, () => ({ '@context': terms })) }), false, 'many terms')
  const names = Array.from({ length: 12 }, () => 'https://www.w3.org/ns/activitystreams')
  assert.equal(await isRead({ tag: tags(1, () => ({ '@context': names })) }), false, 'many names of contexts')
})

test('a context that is large, or applied to each object of a kind, is not read', async t => {
  const { alice, server, author, signed, pass } = await start(t)
  const terms = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`term${index}`, 'as:name']))
  const name = 'https://www.w3.org/ns/activitystreams'
  const fetched = (context: unknown): unknown => {
    const id = `${author.peer.url}/contexts/${author.newUri('contexts').split('/').at(-1)}`
    author.peer.serve({ id, '@context': context })
    return id
  }
  for (const [description, context] of Object.entries({
    plain: fetched({ other: 'as:name' }),
    large: fetched({ ...terms, ...Object.fromEntries(Object.keys(terms).map(term => [`${term}x`, 'as:name'])) }),
    'for a term': { other: { '@id': 'as:other', '@context': { name: 'as:name' } } },
    'for a type': { Other: { '@id': 'as:Other', '@context': [name, name] } },
    'fetched, for a type': fetched({ Other: { '@id': 'as:Other', '@context': { name: 'as:name' } } }),
    'fetched, with many names': fetched([name, name, name, name]),
    'of schema.org': 'http://schema.org/',
  })) {
    const { '@context': _, ...note } = noteTo(server, alice, author, description)
    const activity = await signed({ ...author.create(note), '@context': CONTEXT })
    // The signature stays valid: these terms occur nowhere.
    await pass({ ...activity, '@context': [context, ...CONTEXT] })
    assert.equal(await isStored(server, note.id), description === 'plain', description)
  }
})

test('contexts that their server does not send hold up no other document', async t => {
  const { alice, server, author, signed, pass } = await start(t)
  const [relay, silent] = [(await startPeer(t)).actor('relay'), await startPeer(t)]
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const answer = silent.answer.bind(silent)
  let waiting = 0
  silent.answer = (...request) => {
    waiting += 1
    if (waiting === 3) asked.resolve()
    void released.promise.then(() => answer(...request))
  }
  const post = (): Document & { object: Document } => {
    const { '@context': _, ...object } = noteTo(server, alice, author, 'passed on')
    return { ...author.create(object), '@context': CONTEXT, object }
  }
  let ended = 0
  const slow = [1, 2, 3].map(async index => {
    const document = await signed(post())
    await relay.send(server, { ...document, '@context': [`${silent.url}/${index}`, ...CONTEXT] })
    ended += 1
  })
  await asked.promise
  const other = post()
  await pass(await signed(other))
  assert.ok(await isStored(server, other.object['id']))
  assert.equal(ended, 0)
  released.resolve()
  await Promise.all(slow)
})

test('few contexts are requested for what one server delivers', async t => {
  const { alice, server, author, signed } = await start(t)
  const [relay, other] = [(await startPeer(t)).actor('relay'), await startPeer(t)]
  const { '@context': _, ...object } = noteTo(server, alice, author, 'passed on')
  const document = await signed({ ...author.create(object), '@context': CONTEXT, object })
  const statuses: number[] = []
  for (let index = 0; index < 23; index += 1)
    statuses.push(await relay.send(server, { ...document, '@context': [`${other.url}/${index}`, ...CONTEXT] }))
  assert.deepEqual(statuses, [...Array.from({ length: 20 }, () => 202), 503, 503, 503])
  assert.equal(other.asked.length, 20)
})

test('what is passed on and concerns nobody here is not checked', async t => {
  const { alice, server } = await people(t, 'alice')
  const [home, other] = [await startPeer(t), await startPeer(t)]
  const { author, signed } = await startAuthor(home)
  const relay = other.actor('relay')
  /** Whether the author's key is requested, which is done before an activity is read. */
  const isChecked = async (activity: Document): Promise<boolean> => {
    home.asked.length = 0
    assert.equal(await relay.send(server, await signed({ ...activity, '@context': CONTEXT })), 202)
    return home.asked.includes(new URL(author.uri).pathname)
  }
  const post = (more: Document = {}): Document => {
    const { '@context': _, ...note } = author.note('passed on', more)
    return author.create(note)
  }
  assert.equal(await isChecked(post()), false, 'a post of somebody unknown')
  assert.equal(await isChecked(post({ inReplyTo: `${other.url}/unknown` })), false, 'a reply to an unknown post')
  assert.equal(await isChecked(author.activity('Like', localUri(server, alice.id))), false, 'a Like')
  assert.equal(await isChecked(author.activity('Something', localUri(server, alice.id))), false, 'an unknown type')
  const known = noteTo(server, alice, relay, 'known')
  const socket = await alice.stream('user')
  await relay.send(server, relay.create(known))
  await socket.next('notification', ({ payload }) => JSON.stringify(payload).includes(known.id))
  assert.equal(await isChecked(post({ inReplyTo: known.id })), true, 'a reply to a known post')
})

test('a reply to a local post by somebody unknown is taken, and what comes later', async t => {
  const { alice, server, author, signed, pass } = await start(t)
  const status = await alice.postStatus('a question')
  const { '@context': _, ...note } = author.note('an answer', { inReplyTo: status['uri'] })
  await pass(await signed({ ...author.create(note), '@context': CONTEXT }))
  assert.ok(await isStored(server, note.id))
  const deletion = author.activity('Delete', { id: note.id, type: 'Tombstone' }, { to: [PUBLIC] })
  await pass(await signed({ ...deletion, '@context': CONTEXT }))
  assert.equal(await isStored(server, note.id), false)
})

test('whoever passes a post on opens it to nobody', async t => {
  const { alice, server, author, signed, pass } = await start(t)
  const bob = await person(server, 'bob')
  t.after(() => bob.close())
  const { '@context': _, ...note } = noteTo(server, alice, author, 'secret', {
    to: [localUri(server, alice.id)],
    cc: [],
  })
  const activity = await signed({ ...author.create(note), '@context': CONTEXT })
  await pass(activity)
  assert.ok(await isStored(server, note.id))
  await pass({ ...activity, id: undefined }, `/ap/users/${bob.id}/inbox`)
  await pass(activity, `/ap/users/${bob.id}/inbox`)
  const [row] = await sql(server, 'select id::text from statuses where uri = $1', [note.id])
  assert.equal((await alice.get(`/api/v1/statuses/${String(row?.['id'])}`)).status, 200)
  assert.equal((await bob.get(`/api/v1/statuses/${String(row?.['id'])}`)).status, 404)
})

test('an old profile that somebody passes on replaces none', async t => {
  const { server, author, signed, pass } = await start(t)
  const named = async (): Promise<unknown> =>
    (await sql(server, 'select display_name from accounts where uri = $1', [author.uri]))[0]?.['display_name']
  const update = (name: string): Promise<Document> => {
    const document = author.peer.serve({ ...author.peer.documentOf(author.uri), name })
    return signed({ ...author.activity('Update', { ...document, '@context': CONTEXT }), '@context': CONTEXT })
  }
  const old = await update('old')
  await author.send(server, old)
  const current = await update('new')
  await author.send(server, current)
  await pass(current)
  assert.equal(await named(), 'new')
  await pass({ ...old, id: author.newUri('activities') })
  await pass(old)
  assert.equal(await named(), 'new')
})

test('an integrity proof is accepted with a key that the author lists, while it is valid', async t => {
  const { alice, server, author, pass } = await start(t)
  const pair = generateKeyPairSync('ed25519')
  const method = `${author.uri}#ed25519`
  const raw = pair.publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)
  const publicKeyMultibase = base58(Buffer.concat([Buffer.from([0xed, 1]), raw]))
  const listed = { id: method, type: 'Multikey', controller: author.uri, publicKeyMultibase }
  author.peer.serve({ ...author.peer.documentOf(author.uri), assertionMethod: [listed] })
  const prove = (activity: Document, more: Document = {}): Document => {
    const options = {
      type: 'DataIntegrityProof',
      cryptosuite: 'eddsa-jcs-2022',
      verificationMethod: method,
      proofPurpose: 'assertionMethod',
      created: new Date().toISOString(),
      ...more,
    }
    const digests = [options, activity].map(one => createHash('sha256').update(canonical(one)).digest())
    return {
      ...activity,
      proof: { ...options, proofValue: base58(sign(null, Buffer.concat(digests), pair.privateKey)) },
    }
  }
  const post = (): Document & { object: Document } => {
    const note = noteTo(server, alice, author, 'proved')
    return { ...author.create(note), object: note }
  }
  const taken = async (activity: Document & { object: Document }, passed: Document): Promise<boolean> => {
    await pass(passed)
    return isStored(server, activity.object['id'])
  }
  for (const [name, more] of [
    ['plain', {}],
    ['with the context of the document', { '@context': post()['@context'] }],
    ['that ends later', { expires: new Date(Date.now() + 60_000).toISOString() }],
  ] as const) {
    const activity = post()
    assert.ok(await taken(activity, prove(activity, more)), name)
  }
  const theirs = new Create({
    id: new URL(author.newUri('activities')),
    actor: new URL(author.uri),
    to: new URL(localUri(server, alice.id)),
    object: new Note({
      id: new URL(author.newUri('statuses')),
      attribution: new URL(author.uri),
      to: new URL(localUri(server, alice.id)),
      content: '<p>proved</p>',
    }),
  })
  const key = await webcrypto.subtle.importKey(
    'pkcs8',
    pair.privateKey.export({ type: 'pkcs8', format: 'der' }),
    'Ed25519',
    true,
    ['sign'],
  )
  const proved = await signObject(theirs, key, new URL(method), { contextLoader, documentLoader: contextLoader })
  const made = (await proved.toJsonLd({ format: 'compact', contextLoader })) as Document & { object: Document }
  assert.ok(await taken(made, made), 'made by Fedify')
  const yesterday = new Date(Date.now() - 864e5).toISOString()
  for (const [name, more] of [
    ['expired', { expires: yesterday }],
    ['of the future', { created: new Date(Date.now() + 864e5).toISOString() }],
    ['for another purpose', { proofPurpose: 'authentication' }],
    ['of another key', { verificationMethod: `${author.uri}#other` }],
    ['for another context', { '@context': ['https://w3id.org/security/v1'] }],
  ] as const) {
    const activity = post()
    assert.equal(await taken(activity, prove(activity, more)), false, name)
  }
  const changed = post()
  assert.equal(await taken(changed, { ...prove(changed), to: [`${author.uri}/others`] }), false, 'changed')
})

test('an integrity proof by ML-DSA-44 is accepted', async t => {
  const { alice, server, author, pass } = await start(t)
  const { publicKey, secretKey } = mlDsa.keygen()
  const method = `${author.uri}#ml-dsa-44`
  const publicKeyMultibase = base64url(Buffer.concat([Buffer.from([0x90, 0x24]), publicKey]))
  const listed = { id: method, type: 'Multikey', controller: author.uri, publicKeyMultibase }
  author.peer.serve({ ...author.peer.documentOf(author.uri), assertionMethod: [listed] })
  const prove = (activity: Document, encode: (bytes: Buffer) => string): Document => {
    const options = {
      type: 'DataIntegrityProof',
      cryptosuite: 'mldsa44-jcs-2024',
      verificationMethod: method,
      proofPurpose: 'assertionMethod',
      created: new Date().toISOString(),
      '@context': activity['@context'],
    }
    const digests = [options, activity].map(one => createHash('sha256').update(canonical(one)).digest())
    const signature = Buffer.from(mlDsa.sign(Buffer.concat(digests), secretKey))
    return { ...activity, proof: { ...options, proofValue: encode(signature) } }
  }
  const note = (): Document => noteTo(server, alice, author, 'proved')
  const [good, both, changed, encoded, short] = [note(), note(), note(), note(), note()]
  await pass(prove(author.create(good), base64url))
  assert.ok(await isStored(server, good['id']))
  const proved = prove(author.create(both), base64url)
  const unknown = {
    ...(proved['proof'] as Document),
    cryptosuite: 'eddsa-jcs-2022',
    verificationMethod: `${author.uri}#other`,
    proofValue: base58(Buffer.alloc(64, 1)),
  }
  await pass({ ...proved, proof: [unknown, proved['proof']] })
  assert.ok(await isStored(server, both['id']), 'beside a proof by an unknown key')
  await pass({ ...prove(author.create(changed), base64url), to: [`${author.uri}/others`] })
  await pass(prove(author.create(encoded), base58))
  await pass(prove(author.create(short), bytes => base64url(bytes.subarray(1))))
  for (const one of [changed, encoded, short]) assert.equal(await isStored(server, one['id']), false)
})

test('Fedify verifies signed activities, and its proofs are accepted', async t => {
  const { alice, server } = await people(t, 'alice')
  const peer = await startPeer(t)
  const carol = peer.actor('carol')
  await waitUntilProcessed(server, alice, carol)
  await carol.send(server, carol.activity('Follow', localUri(server, alice.id)))
  await peer.next(typed('Accept'))
  const { publicKey } = (await (
    await fetch(localUri(server, alice.id), { headers: { accept: 'application/activity+json' } })
  ).json()) as { publicKey: { id: string; publicKeyPem: string } }
  const der = createPublicKey(publicKey.publicKeyPem).export({ type: 'spki', format: 'der' })
  const key = new CryptographicKey({
    id: new URL(publicKey.id),
    owner: new URL(localUri(server, alice.id)),
    publicKey: await webcrypto.subtle.importKey('spki', der, RSA, true, ['verify']),
  })
  const keyCache = { get: () => Promise.resolve(key), set: () => Promise.resolve() }
  const isVerified = (activity: Document): Promise<boolean> =>
    verifyJsonLd(activity, { contextLoader, documentLoader: contextLoader, keyCache })
  const status = await alice.postStatus('hello #world', { language: 'en', spoiler_text: 'news' })
  const { activity } = await peer.next(typed('Create'))
  const { signature } = activity as { signature: Document }
  assert.equal(Date.parse(String(signature['expires'])) - Date.parse(String(signature['created'])), 2 * 864e5)
  assert.equal(await isVerified(activity), true)
  assert.equal(await isVerified({ ...activity, published: '2020-01-01T00:00:00Z' }), false)
  await alice.put(`/api/v1/statuses/${status.id}`, { status: 'edited', poll: undefined })
  assert.equal(await isVerified((await peer.next(typed('Update'))).activity), true)
  await alice.post(`/api/v1/statuses/${status.id}/reblog`)
  assert.equal(await isVerified((await peer.next(typed('Announce'))).activity), true)
  await alice.delete(`/api/v1/statuses/${status.id}`)
  assert.equal(await isVerified((await peer.next(typed('Delete'))).activity), true)
  await alice.postStatus('secret', { visibility: 'private' })
  assert.equal((await peer.next(typed('Create'))).activity['signature'], undefined)
})

test("a signed reply to a local post, and its deletion, are forwarded to the author's other followers", async t => {
  const { alice, server, author, signed } = await start(t)
  const [reader, third] = [await startPeer(t), await startPeer(t)]
  const followers = [reader.actor('reader'), author.peer.actor('neighbour')]
  for (const one of followers) {
    await waitUntilProcessed(server, alice, one)
    await one.send(server, one.activity('Follow', localUri(server, alice.id)))
    await one.peer.next(typed('Accept'))
  }
  third.actor('stranger')
  const status = await alice.postStatus('a question')
  await reader.next(typed('Create'))
  await author.peer.next(typed('Create'))
  const reply = (more: Document = {}): Document => {
    const { '@context': _, ...note } = author.note('an answer', { inReplyTo: status['uri'], ...more })
    return { ...author.create(note), '@context': CONTEXT }
  }
  const [unsigned, secret] = [reply(), reply({ to: [localUri(server, alice.id)], cc: [] })]
  assert.equal(await author.send(server, unsigned), 202)
  await author.send(server, await signed(secret))
  const forged = await signed(reply())
  await author.send(server, { ...forged, published: '2020-01-01T00:00:00Z' })
  const response = await signed(reply())
  await author.send(server, response)
  const forwarded = await reader.next(typed('Create'))
  assert.deepEqual(forwarded.activity, response, 'as it came')
  assert.match(String(forwarded.headers['signature']), new RegExp(`keyId="${localUri(server, alice.id)}#main-key"`))
  await author.send(server, response)
  const note = (response['object'] as Document)['id']
  const deletion = await signed({
    ...author.activity('Delete', { id: note, type: 'Tombstone' }, { to: [PUBLIC] }),
    '@context': CONTEXT,
  })
  await author.send(server, deletion)
  assert.deepEqual((await reader.next(typed('Delete'))).activity, deletion)
  assert.deepEqual([reader.received, author.peer.received, third.received], [[], [], []], 'nothing else, and once')
})

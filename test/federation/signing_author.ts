import { generateKeyPairSync, webcrypto } from 'node:crypto'
import { signJsonLd } from '@fedify/fedify/sig'
import { preloadedContexts } from '@fedify/vocab-runtime'
import type { Document, Peer, PeerActor } from '../support/federation/peer.ts'

/** The algorithm of the RSA keys. */
export const RSA = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }

/** Loads well-known contexts without requests. */
export const contextLoader = (url: string) =>
  Promise.resolve({ contextUrl: null, documentUrl: url, document: preloadedContexts[url] })

/** An actor whose signed documents can be forwarded; it signs them with a second key. */
export async function startAuthor(
  peer: Peer,
): Promise<{ author: PeerActor; signed: (activity: Document) => Promise<Document> }> {
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const author = peer.actor('author')
  const id = `${author.uri}#documents`
  const publicKeyPem = pair.publicKey.export({ type: 'spki', format: 'pem' })
  const document = peer.documentOf(author.uri)
  peer.serve({ ...document, publicKey: [document['publicKey'], { id, owner: author.uri, publicKeyPem }] })
  const der = pair.privateKey.export({ type: 'pkcs8', format: 'der' })
  const key = await webcrypto.subtle.importKey('pkcs8', der, RSA, true, ['sign'])
  return { author, signed: activity => signJsonLd(activity, key, new URL(id), { contextLoader }) }
}

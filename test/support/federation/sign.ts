import { createHash, createSign, type KeyObject } from 'node:crypto'

export interface SigningKey {
  readonly id: string
  readonly privateKey: KeyObject
}

/** The headers of a POST that is signed as other servers do (draft-cavage, RSA-SHA256). */
export function signedHeaders(url: string, body: string, key: SigningKey): Record<string, string> {
  const { host, pathname } = new URL(url)
  const date = new Date().toUTCString()
  const digest = `SHA-256=${createHash('sha256').update(body).digest('base64')}`
  const type = 'application/activity+json'
  const text = [
    `(request-target): post ${pathname}`,
    `host: ${host}`,
    `date: ${date}`,
    `digest: ${digest}`,
    `content-type: ${type}`,
  ].join('\n')
  const signature = createSign('sha256').update(text).sign(key.privateKey, 'base64')
  return {
    date,
    digest,
    'content-type': type,
    signature:
      `keyId="${key.id}",algorithm="rsa-sha256",` +
      `headers="(request-target) host date digest content-type",signature="${signature}"`,
  }
}

/** The headers of a GET of a document that is signed as other servers do. */
export function signedGetHeaders(url: string, key: SigningKey): Record<string, string> {
  const { host, pathname, search } = new URL(url)
  const date = new Date().toUTCString()
  const text = [`(request-target): get ${pathname}${search}`, `host: ${host}`, `date: ${date}`].join('\n')
  const signature = createSign('sha256').update(text).sign(key.privateKey, 'base64')
  return {
    accept: 'application/activity+json',
    date,
    signature: `keyId="${key.id}",algorithm="rsa-sha256",headers="(request-target) host date",signature="${signature}"`,
  }
}

import { createHash } from 'node:crypto'
import type { Services } from '../../platform/services.ts'
import { CONTEXT } from '../documents/index.ts'
import { isObject, type JsonObject } from '../protocol/index.ts'
import { contextsOf, type LoadContext } from './contexts.ts'

interface Options {
  readonly documentLoader: LoadContext
}

/** The part of the processor that is used here. */
interface Processor {
  expand(document: object, options: Options): Promise<unknown>
  compact(document: unknown, context: unknown, options: Options): Promise<unknown>
  canonize(document: unknown, options: Options & { format: 'application/n-quads'; safe: boolean }): Promise<string>
}

/** It takes 36 MB with its contexts, so a server that federates with nobody never loads it. */
async function loadProcessor(): Promise<Processor> {
  const { default: processor }: { default: Processor } = await import('@fedify/vocab-runtime/jsonld')
  return processor
}

const IDENTITY = 'https://w3id.org/identity/v1'

async function digest(canonical: Promise<string>): Promise<string> {
  return createHash('sha256')
    .update(await canonical)
    .digest('hex')
}

/** The members of a signature that are signed with the document. */
export type SignatureOptions = Readonly<Record<string, unknown>>

async function optionsDigest(processor: Processor, options: SignatureOptions, documentLoader: LoadContext) {
  const document = { ...options, '@context': IDENTITY }
  return digest(processor.canonize(document, { documentLoader, format: 'application/n-quads', safe: false }))
}

/** The text that RsaSignature2017 signs, for a document of this server. */
export async function textToSign(services: Services, document: object, options: SignatureOptions): Promise<string> {
  const processor = await loadProcessor()
  const documentLoader = await contextsOf(services).loader()
  const body = processor.canonize(document, { documentLoader, format: 'application/n-quads', safe: false })
  return (await optionsDigest(processor, options, documentLoader)) + (await digest(body))
}

/**
 * Leaves out what no signature covers: members and types that the contexts of the document do not
 * define. ActivityStreams makes them blank nodes, which canonization drops.
 */
function defined(expanded: unknown): unknown {
  if (Array.isArray(expanded)) return expanded.filter(one => !isBlank(one)).map(defined)
  if (!isObject(expanded)) return expanded
  const members = Object.entries(expanded).filter(([name]) => !isBlank(name))
  return Object.fromEntries(
    members.map(([name, value]) => [name, name === '@id' || name === '@value' ? value : defined(value)]),
  )
}

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.startsWith('_:')

/** Keywords that give a document other roots than the one that is read. */
const REFUSED = new Set(['@graph', '@included', '@reverse'])
const MAX_DEPTH = 50

/** Whether a document contains a refused keyword, or is nested too deeply. */
export function hasRefusedKeyword(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth > MAX_DEPTH) return true
  if (Array.isArray(value)) return value.some(one => hasRefusedKeyword(one, depth + 1))
  return Object.entries(value).some(([name, member]) => REFUSED.has(name) || hasRefusedKeyword(member, depth + 1))
}

/** The signed part of a document in the terms of this server, and the text of its signature. */
interface SignedParts {
  readonly document: JsonObject
  readonly text: string
}

/**
 * Reads a signed document as the JSON-LD that its signature is about. Whoever passes it on can
 * rename its members, so it is read after it was compacted to the terms of this server; and add
 * what the signature does not cover, which is left out, or refused by the processor's safe mode.
 * @throws an error of the processor for a document that cannot be read so
 */
export async function readSigned(
  services: Services,
  given: JsonObject,
  options: SignatureOptions,
): Promise<SignedParts | undefined> {
  const processor = await loadProcessor()
  const documentLoader = await contextsOf(services).loader()
  const expanded = defined(await processor.expand(given, { documentLoader }))
  const document = await processor.compact(expanded, CONTEXT, { documentLoader })
  if (!isObject(document) || hasRefusedKeyword({ ...document, '@context': undefined })) return undefined
  const body = processor.canonize(expanded, { documentLoader, format: 'application/n-quads', safe: true })
  return { document, text: (await optionsDigest(processor, options, documentLoader)) + (await digest(body)) }
}

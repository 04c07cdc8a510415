import { createHash } from 'node:crypto'
import type { Services } from '../../platform/services.ts'
import { CONTEXT } from '../documents/index.ts'
import { isObject, type JsonObject } from '../protocol/index.ts'
import { contextLoaders, type DocumentLoader } from './contexts.ts'

interface Options {
  readonly documentLoader: DocumentLoader
}

/** The part of the JSON-LD processor's interface that is used here. */
interface Processor {
  expand(document: object, options: Options): Promise<unknown>
  compact(document: unknown, context: unknown, options: Options): Promise<unknown>
  canonize(document: unknown, options: Options & { format: 'application/n-quads'; safe: boolean }): Promise<string>
}

/** Loaded at first use: the processor and its contexts take 36 MB. */
async function loadProcessor(): Promise<Processor> {
  const { default: processor }: { default: Processor } = await import('@fedify/vocab-runtime/jsonld')
  return processor
}

const IDENTITY = 'https://w3id.org/identity/v1'

async function hexDigest(canonical: Promise<string>): Promise<string> {
  return createHash('sha256')
    .update(await canonical)
    .digest('hex')
}

/** The members of a signature that are signed with the document. */
export type SignatureOptions = Readonly<Record<string, unknown>>

async function optionsDigest(processor: Processor, options: SignatureOptions, documentLoader: DocumentLoader) {
  const document = { ...options, '@context': IDENTITY }
  return hexDigest(processor.canonize(document, { documentLoader, format: 'application/n-quads', safe: false }))
}

/** The text that RsaSignature2017 signs for a document of this server. */
export async function textToSign(services: Services, document: object, options: SignatureOptions): Promise<string> {
  const processor = await loadProcessor()
  const documentLoader = await contextLoaders(services).loaderFor(document)
  const body = processor.canonize(document, { documentLoader, format: 'application/n-quads', safe: false })
  return (await optionsDigest(processor, options, documentLoader)) + (await hexDigest(body))
}

/**
 * Removes members and types that the document's contexts do not define, because no signature covers
 * them: ActivityStreams turns them into blank nodes, which canonization drops.
 */
function withoutBlankNodes(expanded: unknown): unknown {
  if (Array.isArray(expanded)) return expanded.filter(one => !isBlank(one)).map(withoutBlankNodes)
  if (!isObject(expanded)) return expanded
  const members = Object.entries(expanded).filter(([name]) => !isBlank(name))
  return Object.fromEntries(
    members.map(([name, value]) => [name, name === '@id' || name === '@value' ? value : withoutBlankNodes(value)]),
  )
}

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.startsWith('_:')

/** Keywords that let a document contain other roots than the object that is processed. */
const REFUSED_KEYWORDS = new Set(['@graph', '@included', '@reverse'])
const MAX_DEPTH = 50

/** Whether a document contains a refused keyword, or is nested too deeply. */
export function hasRefusedKeyword(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth > MAX_DEPTH) return true
  if (Array.isArray(value)) return value.some(one => hasRefusedKeyword(one, depth + 1))
  return Object.entries(value).some(
    ([name, member]) => REFUSED_KEYWORDS.has(name) || hasRefusedKeyword(member, depth + 1),
  )
}

/** The signed part of a document, compacted with this server's context, and the signed text. */
export interface SignedParts {
  readonly document: JsonObject
  readonly text: string
}

/**
 * Reads the part of a document that its signature covers. A server that forwards a document can
 * rename its members, so it is compacted with this server's context; it can also add unsigned
 * members, which are removed or refused by the processor's safe mode.
 * @param documentLoader that for the document
 * @throws an error of the processor for an invalid document
 */
export async function readSignedDocument(
  signed: JsonObject,
  options: SignatureOptions,
  documentLoader: DocumentLoader,
): Promise<SignedParts | undefined> {
  const processor = await loadProcessor()
  const expanded = withoutBlankNodes(await processor.expand(signed, { documentLoader }))
  const document = await processor.compact(expanded, CONTEXT, { documentLoader })
  if (!isObject(document) || hasRefusedKeyword({ ...document, '@context': undefined })) return undefined
  const body = processor.canonize(expanded, { documentLoader, format: 'application/n-quads', safe: true })
  return { document, text: (await optionsDigest(processor, options, documentLoader)) + (await hexDigest(body)) }
}

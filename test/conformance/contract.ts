import { readFileSync } from 'node:fs'

/*
 * What the API promises, as data (test/contract): facts gathered from the public documentation of the Mastodon client API 4.7 and
 * from what its servers are seen to answer. Copied once from the project's own description of that API, and kept small:
 *   operations.json  a line for each operation: who may call it, what it answers, what it answers without a token or without a user
 *   entities.json    a type for each field of each entity; `?` after a name: may be missing; a dotted name: a member of a hash
 */

/** An operation of the API as the contract has it. */
export interface ContractOperation {
  /** The part of the API that it belongs to. */
  readonly group: string
  readonly method: string
  readonly path: string
  readonly auth: 'public' | 'optional' | 'app' | 'user' | 'admin'
  /** Any of them is enough. */
  readonly scopes: readonly string[]
  readonly permissions?: readonly string[]
  /** Older servers had it: it may be missing. */
  readonly removed?: true
  /** Of a success. */
  readonly status: number
  readonly body: string
  /** Status and text of the refusal without a token. */
  readonly noToken?: readonly [number, string]
  /** Status and text of the refusal of an application's own token. */
  readonly noUser?: readonly [number, string]
}

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../contract/${name}.json`, import.meta.url), 'utf8'))

/** Every operation that the contract asks for. */
export const contractOperations = read('operations') as readonly ContractOperation[]

/** The fields of each entity, name to type. */
export const entities = read('entities') as Readonly<Record<string, Readonly<Record<string, string>>>>

/** Method and path, with all parameters named alike: what they are called is nobody's business. */
export const keyOf = (method: string, path: string): string => `${method} ${path.replace(/:\w+/g, ':')}`

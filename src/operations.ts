import type { AnyOperation } from './http/operation.ts'
import { operations as health } from './health/operations.ts'

/** Every operation of the server, by domain. */
export const operations: readonly AnyOperation[] = [...health]

import type { AnyOperation } from '../platform/http/index.ts'
import { redirectToFirstPage } from './start.ts'
import { styleOperation } from './staff_page.ts'

/** The operations that belong to no room of this district. */
export const operations: readonly AnyOperation[] = [styleOperation, redirectToFirstPage]

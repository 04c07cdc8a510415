import type { AnyOperation } from '../platform/http/index.ts'
import { redirectToFirstPage } from './start.ts'
import { styleOperation } from './staff_page.ts'

/** The operations of the admin API and of the staff's pages. */
export const operations: readonly AnyOperation[] = [styleOperation, redirectToFirstPage]

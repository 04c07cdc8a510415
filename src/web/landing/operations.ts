import { showStart } from './start.ts'

export const operations = [showStart]

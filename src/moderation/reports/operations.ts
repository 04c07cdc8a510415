import { fileReport } from './file.ts'

export const operations = [fileReport]

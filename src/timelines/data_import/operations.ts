import { downloadFailures, showImports, startImport } from './pages.ts'

export const operations = [showImports, startImport, downloadFailures]

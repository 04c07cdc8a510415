import { removeOldImports, runImport } from './run.ts'

export const jobs = [runImport, removeOldImports]

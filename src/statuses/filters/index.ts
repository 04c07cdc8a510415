export { viewerFilters } from './compiled.ts'
export { compileFilters, type CompiledFilters } from './match.ts'

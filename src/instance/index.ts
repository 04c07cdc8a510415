export { LIMITS } from './limits.ts'

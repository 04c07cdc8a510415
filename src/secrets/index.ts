export { readSecrets, type Secrets } from './secrets.ts'

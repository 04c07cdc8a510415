export { readSecrets, type Secrets } from './secrets.ts'
export { decrypt, encrypt } from './encrypt.ts'

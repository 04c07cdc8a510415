import { encryptOldSecrets } from './encrypt_old.ts'

/** What the domain leaves for later. */
export const jobs = [encryptOldSecrets]

import { encryptOldSecrets } from './encrypt_old.ts'

/** Background jobs of this folder. */
export const jobs = [encryptOldSecrets]

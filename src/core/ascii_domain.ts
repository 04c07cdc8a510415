import { domainToASCII } from 'node:url'

/**
 * A domain that somebody typed, as it is stored: in lower case, and international names in ASCII. A
 * domain with a port, as on test networks, is none for `domainToASCII`.
 */
export const asciiDomain = (text: string): string => domainToASCII(text) || text.toLowerCase()

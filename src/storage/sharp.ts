/** The image library, loaded at first use: it takes 27 MB and 70 ms that a server without uploads need not spend. */
export const loadSharp = async () => (await import('sharp')).default

export async function faults() {}

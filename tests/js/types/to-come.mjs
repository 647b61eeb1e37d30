// What the contract has and the declarations have not yet, or have narrower: a name, or a member of it. The list only
// shrinks: an entry that agrees fails the check. Must not live here: the comparison (`contract.ts`).

export default []

package temporal

// What tests replay histories with.
var RunFlow = runFlow

const WorkflowName = workflowName

"""Settings of Spark under which a few rows take seconds: one task for each processor, and no Java made for queries."""

QUICK = {
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
}
